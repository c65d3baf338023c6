import { createContext } from 'svelte';

/** Whether programs and browsers outside this one can send requests to the service. In the static build they cannot. */
export const [getIsReachable, setIsReachable] = createContext<boolean>();
