import { errorOf } from '../describe-exchange.ts';
import type { ForeignFinding, ProviderForm } from '../har-reading.ts';
import type { ForeignRun } from '../findings/foreign-run.ts';
import { providerHars } from './provider-errors.ts';
import type { ProviderHar } from './provider-har.ts';

/** How the provider of a sign-in does what a finding is about, where its file says so. */
export function providerForm({ id, exchanges }: ForeignFinding, { all }: ForeignRun): ProviderForm | undefined {
	const cited = all.filter(({ entry }) => exchanges.includes(entry.id));
	const flows = new Set(cited.flatMap(({ entry }) => entry.flow ?? []));
	const near = all.filter(({ entry }) => exchanges.includes(entry.id) || flows.has(entry.flow ?? ''));
	const names = cited.flatMap(({ entry }) => errorOf(entry)?.names ?? []);
	const own = providerHars.filter((one) => near.some(({ host }) => hasHost(one, host)));
	return own
		.flatMap(({ owner, errors, forms }): ProviderForm[] => {
			const error = errors.find(({ name, cause }) => names.includes(name) && id.startsWith(cause));
			if (error !== undefined)
				return [{ text: `${error.name} is ${owner}’s form of ${error.standard}.`, source: error.source }];
			const form = forms.find(({ finding }) => id === finding || id.startsWith(`${finding}.`));
			return form === undefined ? [] : [{ text: `This is ${owner}’s form of ${form.of}.`, source: form.source }];
		})
		.at(0);
}

/** The name of the simulated provider that has one of these hosts. Of several, the one with the shortest name. */
export function providerOfHosts(hosts: readonly string[]): string | undefined {
	const having = providerHars.filter((one) => hosts.some((host) => hasHost(one, host)));
	return having.map(({ name }) => name).sort((one, other) => one.length - other.length)[0];
}

function hasHost({ hosts }: ProviderHar, host: string): boolean {
	return hosts.some((one) => {
		const parts = one.split(/\{\w+\}/);
		return parts.length === 1
			? one === host
			: host.startsWith(parts[0] ?? '') && host.endsWith(parts.at(-1) ?? '') && host.length > parts.join('').length;
	});
}
