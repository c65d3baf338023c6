import { describeWithRedis, startRedis } from '../hosts/redis/redis-server.ts';
import { startReplicas } from './hosts/replicas.ts';
import { runOn } from './run-on.ts';

describeWithRedis('STORE=redis', () => {
	runOn({
		name: 'two services over one Redis, in turns',
		shows: 'store',
		async start() {
			const redis = await startRedis();
			return startReplicas(redis.url, () => redis.close());
		}
	});
});
