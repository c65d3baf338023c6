// The views of the inspector that are loaded when one of them is opened.
export { default as FlowDiagram } from './FlowDiagram.svelte';
export { default as RateLimitHistory } from './RateLimitHistory.svelte';
export { default as TokenTree } from './TokenTree.svelte';
