import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { createMetrics } from '#hosts/node/metrics.server.ts';
import { settingsByName } from '#hosts/settings.ts';

const root = join(import.meta.dirname, '../..');
const text = (path: string) => readFileSync(join(root, path), 'utf8');

/** Metrics that Prometheus itself makes. */
const ofPrometheus = ['up'];
/** Words of its query language, and labels. */
const functions = /^(sum|by|rate|increase|histogram_quantile|le|instance|endpoint|outcome|kind|label_values)$/;
const settingNames = new Set(
	[...settingsByName].flatMap(([name, { isSecret }]) => (isSecret === true ? [name, `${name}_FILE`] : [name]))
);

/** The names in an expression that are no function, label or value. */
function metricsIn(expression: string): string[] {
	const bare = expression.replace(/\{[^}]*\}|\[[^\]]*\]|"[^"]*"/g, ' ');
	return [...bare.matchAll(/[a-z_][a-z_\d]+/g)].map(([name]) => name).filter((name) => !functions.test(name));
}

test.each(['src/deploy/grafana-dashboard.json', 'src/deploy/alerts.yaml'])(
	'%s uses metrics that the server has',
	async (path) => {
		const metrics = createMetrics({
			load: () => ({ connections: 0, streams: 0 }),
			sandboxes: async () => 1,
			maxSandboxes: 300,
			isReady: async () => true
		});
		metrics.observe({ endpoint: 'token', outcome: '2xx', duration: 1 });
		const names = new Set(
			[...(await metrics.text()).matchAll(/^([a-z_][a-z_\d]+)[ {]/gm)].map(([, name = '']) => name)
		);
		const expressions = [...text(path).matchAll(/(?:"expr": "((?:\\"|[^"])*)"|expr: (.*))/g)].map(
			([, json, yaml]) => json?.replaceAll('\\"', '"') ?? yaml ?? ''
		);
		expect(expressions.length).toBeGreaterThan(4);
		const used = expressions.flatMap(metricsIn);
		expect(used.length).toBeGreaterThan(4);
		expect(used.filter((name) => !names.has(name) && !ofPrometheus.includes(name))).toEqual([]);
	}
);

test.each([
	'src/deploy/compose.yaml',
	'src/deploy/compose.replicas.yaml',
	'src/deploy/helm/templates/deployment.yaml',
	'Dockerfile'
])('%s sets settings that the server has', (path) => {
	const others = new Set(['NODE_ENV', 'NODE', 'SITE', 'UPSTREAMS', 'MALLOC_MMAP_THRESHOLD_']);
	const set = [
		...text(path).matchAll(/^ {4,}(?:- \{ name: )?([A-Z][A-Z_]+)(?:: |, value: )|[ \n]([A-Z][A-Z_]+)=(?=[\w/.])/gm)
	]
		.map(([, yaml, docker]) => yaml ?? docker ?? '')
		.filter((name) => !others.has(name));
	expect(set.length).toBeGreaterThan(1);
	expect(set.filter((name) => !settingNames.has(name))).toEqual([]);
});

test('the chart has the version of the package, and a schema of all its values', () => {
	const version = v.object({ version: v.string() });
	const { version: current } = v.parse(version, JSON.parse(text('package.json')));
	expect(parse(text('src/deploy/helm/Chart.yaml'))).toMatchObject({ version: current, appVersion: current });
	const described = v.record(v.string(), v.object({ properties: v.optional(v.record(v.string(), v.unknown())) }));
	const { properties } = v.parse(
		v.object({ properties: described }),
		JSON.parse(text('src/deploy/helm/values.schema.json'))
	);
	const values = v.parse(v.record(v.string(), v.unknown()), parse(text('src/deploy/helm/values.yaml')));
	expect(
		Object.keys(properties)
			.filter((name) => name !== 'global')
			.toSorted()
	).toEqual(Object.keys(values).toSorted());
	for (const [name, value] of Object.entries(values)) {
		const inner = properties[name]?.properties;
		if (inner !== undefined)
			expect(value).toEqual(
				expect.objectContaining(Object.fromEntries(Object.keys(inner).map((key) => [key, expect.anything()])))
			);
	}
});
