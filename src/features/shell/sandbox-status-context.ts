import { createContext } from 'svelte';
import type { SandboxStatusMonitor } from './sandbox-status.svelte.ts';

/** The status of the open sandbox. The shell sets it for all pages. */
export const [getSandboxStatus, setSandboxStatus] = createContext<SandboxStatusMonitor>();
