// One file for the editor and what completes a program in it: pages load both with their first use.
export { createEditor } from '#ui/forms/code-editor.ts';
export { completeProgram } from './completion.ts';
