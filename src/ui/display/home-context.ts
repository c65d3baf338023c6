import { createContext } from 'svelte';

/** What every link of the page begins with (`AppLocation.home`), for components that are not passed it. */
export const [getHome, setHome, hasHome] = createContext<() => string>();
