import type { ProviderFile } from '#api/providers/provider-file.ts';

type File = Pick<ProviderFile, 'surprises' | 'sources'>;

/** The surprises of all providers with the check that decides and its sources, as a table in Markdown. */
export function surprisesTable(files: readonly (readonly [title: string, file: File])[]): string {
	const rows = files.flatMap(([title, { surprises, sources }]) =>
		surprises.map(({ title: surprise, fact, check }) => {
			const shown = sources.filter(({ facts }) =>
				facts.some((one) => one === fact || fact.startsWith(`${one}.`) || one.startsWith(`${fact}.`))
			);
			const links = shown.map((source) => `[${source.title}](${source.url}), ${source.kind} ${source.read}`);
			return `| ${title} | ${surprise} | \`${check}\` | ${links.join('; ')} |`;
		})
	);
	return ['| Provider | Surprise | Check | Source |', '| --- | --- | --- | --- |', ...rows].join('\n');
}
