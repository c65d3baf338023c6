import { fillText } from '#lib/fill-text.ts';
import { sharedDefenses } from '../shared/defenses.ts';
import { sharedMoves } from '../shared/moves.ts';
import type { LabContent } from './lab-file.ts';
import type { Lab, LabCode, Miss, Move } from './lab.ts';
import { parameterOf, shorten, type Message } from './message.ts';

/** Loaded together: what several of them share would count as shared by the pages, which would all load it. */
const codes = import.meta.glob<LabCode>('../labs/*.ts', { eager: true, import: 'code' });

/** The lab of a content and the code of its id. The build has checked that their names fit. */
export function compileLab(id: string, content: LabContent): Lab {
	const code = codes[`../labs/${id}.ts`];
	if (code === undefined) throw new RangeError(`${id} has no code.`);
	const { evidence, nearMisses, willBeChecked, subject, ...texts } = content;
	const { world, goodUser, findGoodUser, checked = {} } = code;
	const moveOf = (name: string): Required<Move> => ({ ...noMove, ...sharedMoves[name], ...code.moves?.[name] });
	const { tooStrict, noEffect, otherAttack } = content.wrongDefenses;
	const right = {
		...content.defense,
		code: content.code.right,
		file: `${content.code.file}, line ${content.code.line}`,
		section: content.rejected.section
	};
	const { id: check } = content.rejected;
	return {
		...texts,
		world,
		...(goodUser && { goodUser }),
		...(findGoodUser && { findGoodUser }),
		subject: subject && {
			name: subject.name,
			cards: (run) => code.subject?.cards(run, subject.words) ?? []
		},
		steps: content.steps.map((step) => ({ ...step, ...moveOf(step.id) })),
		detours: content.detours.map((detour) => ({ ...detour, ...moveOf(detour.id) })),
		nearMisses: Object.fromEntries(
			Object.entries(nearMisses).map(([name, { text, look }]) => {
				const miss = code.misses[name] ?? noMiss;
				const sentence: Lab['nearMisses'][string]['text'] = (message, run) =>
					fillText(
						textOf(text, miss.cases, message),
						(value) => miss.values?.[value]?.(message, run) ?? valueIn(message, value)
					);
				return [name, { happened: miss.happened, text: sentence, look }];
			})
		),
		willBeChecked: willBeChecked === undefined ? undefined : (run) => textOf(willBeChecked, checked, run),
		goal: { text: evidence, find: code.goal },
		defenses: (
			[
				['right', right],
				['tooStrict', tooStrict],
				['noEffect', noEffect],
				['otherAttack', otherAttack]
			] as const
		).map(([name, defense]) => ({
			...defense,
			id: name,
			world: code.defenses[name] ?? ('use' in defense ? sharedDefenses[defense.use] : undefined) ?? {}
		})),
		rejected: {
			...content.rejected,
			find: code.rejected ?? ((log) => log.find(({ rejection }) => rejection?.id === check))
		}
	};
}

const noMove = { isPossible: () => true, act: () => {}, isDone: () => false };
const noMiss: Miss = { happened: () => undefined };

type Cases<Value> = Readonly<Record<string, (value: Value) => boolean>>;

/** The text of the first case that holds. */
function textOf<Value>(text: LabContent['nearMisses'][string]['text'], cases: Cases<Value> = {}, value: Value): string {
	if (typeof text === 'string') return text;
	const [name = 'otherwise'] = Object.entries(cases).find(([, holds]) => holds(value)) ?? [];
	return text[name] ?? '';
}

/** A value of a message by its name in a sentence: what its receiver recorded, or a parameter as its row shows it. */
function valueIn(message: Message, name: string): string {
	const { found = '', expected = '' } = message.rejection ?? {};
	const recorded: Readonly<Record<string, string>> = {
		found,
		expected,
		short_found: shorten(found),
		short_expected: shorten(expected),
		outcome: message.outcome,
		method: message.method,
		status: String(message.status ?? 0),
		username: message.entry?.username ?? ''
	};
	return recorded[name] ?? shorten(parameterOf(message, name) ?? 'none');
}
