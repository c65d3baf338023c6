import { createContext } from 'svelte';
import type { MySandboxes } from './my-sandboxes.svelte.ts';

/** The sandboxes that this browser remembers. The shell sets it for all pages. */
export const [getMySandboxes, setMySandboxes] = createContext<MySandboxes>();
