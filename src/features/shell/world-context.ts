import { createContext } from 'svelte';
import type { World } from '#client/world.ts';

/** The world of the page's sandbox, for components that are not passed it. */
export const [getWorld, setWorld] = createContext<() => World>();
