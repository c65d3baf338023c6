import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { RequestMetrics } from '#service/core/options.ts';

/** The figures of a server, for Prometheus. No label is an id, an address or a client, since those are secret or unbounded. */
export type Metrics = {
	/** Counts a request of the service. */
	observe(request: RequestMetrics): void;
	readonly contentType: string;
	/** In the text format of Prometheus. */
	text(): Promise<string>;
};

/** Upper bounds of the durations that are counted, in seconds. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

/** Default metrics that are gauges, although their names are those of counters. */
const mistyped = ['handles', 'requests', 'resources'].map((kind) => `nodejs_active_${kind}_total`);

/** What is read when Prometheus asks. */
export type MetricSources = {
	/** How many connections and event streams are open. */
	load(): { connections: number; streams: number };
	/** How many sandboxes have records. */
	sandboxes(): Promise<number>;
	/** How many sandboxes there can be besides the default one. */
	readonly maxSandboxes: number;
	/** Whether the server accepts requests. */
	isReady(): Promise<boolean>;
};

export function createMetrics({ load, sandboxes, maxSandboxes, isReady }: MetricSources): Metrics {
	const register = new Registry();
	collectDefaultMetrics({ register });
	for (const name of mistyped) register.removeSingleMetric(name);
	const requests = new Counter({
		name: 'tollgate_requests_total',
		help: 'Requests of the service, by endpoint and outcome: 2xx, 3xx, 4xx, 5xx, none (no response) or simulated (by a fault or a test card).',
		labelNames: ['endpoint', 'outcome'],
		registers: [register]
	});
	const durations = new Histogram({
		name: 'tollgate_request_duration_seconds',
		help: 'How long the service took for a request, without simulated delays.',
		labelNames: ['endpoint'],
		buckets,
		registers: [register]
	});
	const open = new Gauge({
		name: 'tollgate_open',
		help: 'What is open now: connections, and event streams of traffic logs.',
		labelNames: ['kind'],
		registers: [register],
		collect() {
			const { connections, streams } = load();
			open.set({ kind: 'connections' }, connections);
			open.set({ kind: 'streams' }, streams);
		}
	});
	const kept = new Gauge({
		name: 'tollgate_sandboxes',
		help: 'Sandboxes that have records, the default one included. Absent while the store is away.',
		registers: [register],
		async collect() {
			const count = await sandboxes().catch(() => undefined);
			if (count === undefined) kept.remove();
			else kept.set(count);
		}
	});
	const most = new Gauge({
		name: 'tollgate_sandboxes_max',
		help: 'How many sandboxes there can be besides the default one.',
		registers: [register]
	});
	most.set(maxSandboxes);
	const ready = new Gauge({
		name: 'tollgate_ready',
		help: '1 where /readyz is 200, otherwise 0.',
		registers: [register],
		async collect() {
			ready.set((await isReady()) ? 1 : 0);
		}
	});
	return {
		observe({ endpoint, outcome, duration }) {
			requests.inc({ endpoint, outcome });
			durations.observe({ endpoint }, duration / 1000);
		},
		contentType: register.contentType,
		text: () => register.metrics()
	};
}
