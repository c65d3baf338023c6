// The panels of a client with users. A first visit has none, and does not load them.
export { default as Gauge } from '#ui/gauges/Gauge.svelte';
export { default as CharacterPanel } from './CharacterPanel.svelte';
export { default as RateLimitBehaviorPanel } from './RateLimitBehaviorPanel.svelte';
export { default as RecordsPanel } from './RecordsPanel.svelte';
export { default as UsersPanel } from './UsersPanel.svelte';
