import { autocompletion, closeCompletion, completionKeymap, type CompletionSource } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab, undo } from '@codemirror/commands';
import { javascript } from '@codemirror/lang-javascript';
import { bracketMatching, HighlightStyle, indentOnInput, indentUnit, syntaxHighlighting } from '@codemirror/language';
import { EditorState, Prec, RangeSetBuilder, StateEffect, StateField, Transaction } from '@codemirror/state';
import {
	Decoration,
	drawSelection,
	EditorView,
	GutterMarker,
	gutterLineClass,
	highlightActiveLine,
	keymap,
	lineNumbers,
	WidgetType,
	type DecorationSet
} from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** A line with something to say. */
export type LineMark = {
	/** From 1. */
	readonly line: number;
	readonly tone: 'error' | 'caution' | 'accent' | 'ok';
	/** At the end of the line. */
	readonly label?: string;
	/** Only this part of the line is marked. From 1, without the last one. */
	readonly columns?: readonly [from: number, to: number];
};

export type EditorOptions = {
	readonly text: string;
	readonly isReadOnly: boolean;
	/** For screen readers. */
	readonly label: string;
	/** Id of the sentence that says how to leave it. */
	readonly describedBy: string;
	/** Completes what is typed, besides the names of the program. */
	readonly complete?: CompletionSource;
	readonly onchange?: (text: string) => void;
	/** Gets at each key whether Tab leaves the editor now. */
	readonly onleaves?: (leaves: boolean) => void;
	/** The number or the label of a marked line was selected. @param line from 1 */
	readonly onmark?: (line: number) => void;
};

/** An editor of the page. */
export type CodeEditor = {
	readonly text: () => string;
	/** Replaces the text. It can be undone. */
	readonly replace: (text: string) => void;
	readonly undo: () => void;
	readonly mark: (marks: readonly LineMark[]) => void;
	/** Scrolls to a line, and moves the cursor there. @param line from 1 */
	readonly show: (line: number) => void;
	readonly focus: () => void;
	readonly destroy: () => void;
};

/** How long after Escape a Tab leaves the editor, in milliseconds. Other keys end it. A screen reader needs time to say so. */
const leaveTime = 60_000;

const setMarks = StateEffect.define<readonly LineMark[]>();

class Label extends WidgetType {
	constructor(
		readonly text: string,
		readonly tone: string
	) {
		super();
	}

	override toDOM(): HTMLElement {
		const element = document.createElement('button');
		element.title = 'Why this line is marked (Alt Enter)';
		// With the keyboard, Alt Enter does what it does.
		element.tabIndex = -1;
		element.className = `cm-label ${this.tone}`;
		element.textContent = this.text;
		return element;
	}

	/** A click on it is one of the editor. */
	override ignoreEvent(): boolean {
		return false;
	}

	override eq(other: Label): boolean {
		return other.text === this.text && other.tone === this.tone;
	}
}

const marks = StateField.define<DecorationSet>({
	create: () => Decoration.none,
	update(known, transaction) {
		let next = known.map(transaction.changes);
		for (const effect of transaction.effects) if (effect.is(setMarks)) next = decorate(transaction.state, effect.value);
		return next;
	},
	provide: (field) => EditorView.decorations.from(field)
});

function decorate({ doc }: EditorState, list: readonly LineMark[]): DecorationSet {
	const ranges = list
		.filter(({ line }) => line >= 1 && line <= doc.lines)
		.flatMap(({ line, tone, label, columns }) => {
			const { from, to } = doc.line(line);
			if (columns !== undefined) {
				const first = from + columns[0] - 1;
				const end = Math.min(from + columns[1] - 1, to);
				return first < end ? [Decoration.mark({ class: `cm-part ${tone}` }).range(first, end)] : [];
			}
			const marked = Decoration.line({ class: `cm-marked ${tone}` }).range(from);
			if (label === undefined) return [marked];
			return [marked, Decoration.widget({ widget: new Label(label, tone), side: 1 }).range(to)];
		});
	return Decoration.set(ranges, true);
}

const colors = HighlightStyle.define([
	{ tag: [tags.keyword, tags.modifier, tags.operatorKeyword], color: 'var(--accent-fg)' },
	{ tag: [tags.string, tags.regexp, tags.special(tags.string)], color: 'var(--ok-fg)' },
	{ tag: [tags.number, tags.bool, tags.null], color: 'var(--caution-fg)' },
	{ tag: [tags.function(tags.variableName), tags.function(tags.propertyName)], color: 'var(--party-resource)' },
	{ tag: tags.comment, color: 'var(--fg-subtle)' }
]);

const theme = EditorView.theme({
	'&': { height: '100%', fontSize: '0.78125rem', backgroundColor: 'var(--bg-surface)', color: 'var(--fg-default)' },
	'&.cm-focused': { outline: '2px solid var(--focus-ring)', outlineOffset: '-2px' },
	'.cm-scroller': { fontFamily: 'var(--font-mono)', lineHeight: '20px' },
	'.cm-content': { padding: '8px 0', caretColor: 'var(--accent-solid)' },
	'.cm-cursor': { borderLeftColor: 'var(--accent-solid)', borderLeftWidth: '2px' },
	'.cm-gutters': { backgroundColor: 'var(--bg-surface)', color: 'var(--fg-subtle)', border: '0' },
	'.cm-lineNumbers .cm-gutterElement': { minWidth: '42px', padding: '0 12px 0 8px' },
	'.cm-activeLine': { backgroundColor: 'var(--bg-hover)' },
	'&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
		backgroundColor: 'var(--selection)'
	},
	'.cm-line': { position: 'relative', padding: '0 8px 0 0' },
	'.cm-gutterElement.cm-marked': { cursor: 'pointer', fontWeight: '600' },
	'.cm-marked.error': { backgroundColor: 'var(--error-bg)', boxShadow: 'inset 3px 0 var(--error-solid)' },
	'.cm-marked.caution': { backgroundColor: 'var(--caution-bg)', boxShadow: 'inset 3px 0 var(--caution-fg)' },
	'.cm-marked.accent': { backgroundColor: 'var(--accent-bg)', boxShadow: 'inset 3px 0 var(--accent-solid)' },
	'.cm-marked.ok': { backgroundColor: 'var(--ok-bg)', boxShadow: 'inset 3px 0 var(--ok-solid)' },
	'.cm-part': { textDecoration: 'underline wavy var(--error-solid) 1px', textUnderlineOffset: '3px' },
	'.cm-label': {
		position: 'sticky',
		right: '8px',
		float: 'right',
		marginInlineStart: '8px',
		padding: '0 6px',
		border: '1px solid',
		borderRadius: '4px',
		backgroundColor: 'var(--bg-raised)',
		cursor: 'pointer',
		font: '500 12px/18px var(--font-sans)'
	},
	'.cm-label.error': { borderColor: 'var(--error-border)', color: 'var(--error-fg)' },
	'.cm-label.caution': { borderColor: 'var(--caution-border)', color: 'var(--caution-fg)' },
	'.cm-label.accent': { borderColor: 'var(--accent-border)', color: 'var(--accent-fg)' },
	'.cm-label.ok': { borderColor: 'var(--ok-border)', color: 'var(--ok-fg)' },
	'@media (max-width: 47.99rem)': {
		'.cm-content': { flexShrink: '1', whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' },
		'.cm-line': { paddingInlineStart: '2ch', textIndent: '-2ch' },
		'.cm-lineNumbers .cm-gutterElement': { minWidth: '30px', padding: '0 6px 0 2px' }
	}
});

class MarkedNumber extends GutterMarker {
	constructor(override elementClass: string) {
		super();
	}
}

/** The numbers of marked lines have their tone. */
const markedNumbers = gutterLineClass.compute([marks], (state) => {
	const numbers = new RangeSetBuilder<GutterMarker>();
	state.field(marks).between(0, state.doc.length, (from, _, mark) => {
		const spec: unknown = mark.spec;
		const name = typeof spec === 'object' && spec !== null && 'class' in spec ? spec.class : undefined;
		if (typeof name === 'string' && name.startsWith('cm-marked')) numbers.add(from, from, new MarkedNumber(name));
	});
	return numbers.finish();
});

/** Creates an editor in an element. Tab indents. Escape and then Tab leaves it. */
export function createEditor(parent: HTMLElement, options: EditorOptions): CodeEditor {
	const { isReadOnly, label, describedBy, complete, onchange, onleaves, onmark } = options;
	/** Selects the mark of the line at a position, if it has one. */
	const selectMark = ({ state }: EditorView, at: number): boolean => {
		const { from, to, number } = state.doc.lineAt(at);
		const marked: number[] = [];
		state.field(marks).between(from, to, (at) => void marked.push(at));
		if (marked.length > 0) onmark?.(number);
		return marked.length > 0;
	};
	const leave = (view: EditorView): boolean => {
		closeCompletion(view);
		view.setTabFocusMode(leaveTime);
		onleaves?.(true);
		return true;
	};
	const program = javascript({ typescript: true });
	const { language } = program;
	const state = (doc: string) =>
		EditorState.create({
			doc,
			extensions: [
				lineNumbers({ domEventHandlers: { mousedown: (view, { from }) => selectMark(view, from) } }),
				history(),
				drawSelection(),
				indentOnInput(),
				indentUnit.of('  '),
				bracketMatching(),
				...(isReadOnly ? [] : [highlightActiveLine()]),
				EditorState.readOnly.of(isReadOnly),
				program,
				syntaxHighlighting(colors),
				theme,
				marks,
				markedNumbers,
				// Enter stays a new line until one is chosen.
				autocompletion({ defaultKeymap: false, icons: false, selectOnOpen: false }),
				...(complete === undefined ? [] : [language.data.of({ autocomplete: complete })]),
				Prec.highest(keymap.of([{ key: 'Escape', run: leave }])),
				Prec.high(keymap.of(completionKeymap.filter(({ key }) => key !== 'Escape'))),
				// Mod-Enter runs the program.
				keymap.of([
					{ key: 'Alt-Enter', run: (view) => selectMark(view, view.state.selection.main.head) },
					...defaultKeymap.filter(({ key }) => key !== 'Mod-Enter'),
					...historyKeymap,
					...(isReadOnly ? [] : [indentWithTab])
				]),
				EditorView.domEventObservers({
					keydown: ({ key }) => {
						if (key !== 'Tab' && key !== 'Shift') onleaves?.(false);
					}
				}),
				EditorView.domEventHandlers({
					click: ({ target }, view) => {
						const isLabel = target instanceof HTMLElement && target.classList.contains('cm-label');
						return isLabel && selectMark(view, view.posAtDOM(target));
					}
				}),
				EditorView.contentAttributes.of({ 'aria-label': label, 'aria-describedby': describedBy, tabindex: '0' }),
				EditorView.updateListener.of((update) => {
					if (update.docChanged) onchange?.(update.state.doc.toString());
				})
			]
		});
	const view = new EditorView({ parent, state: state(options.text) });
	return {
		text: () => view.state.doc.toString(),
		replace: (text) =>
			view.dispatch({
				changes: { from: 0, to: view.state.doc.length, insert: text },
				annotations: Transaction.userEvent.of('input.replace')
			}),
		undo: () => void undo(view),
		mark: (list) => view.dispatch({ effects: setMarks.of(list) }),
		show: (line) => {
			const { from } = view.state.doc.line(Math.min(Math.max(1, line), view.state.doc.lines));
			view.dispatch({
				selection: { anchor: from },
				effects: EditorView.scrollIntoView(from, { y: 'start', yMargin: 88 })
			});
		},
		focus: () => view.focus(),
		destroy: () => view.destroy()
	};
}
