import { startMswNode } from './hosts/msw-node.ts';
import { runOn } from './run-on.ts';

runOn({
	name: 'msw/node',
	shows: 'host',
	start: startMswNode,
	lacks: {
		'raw target': 'fetch normalizes a target before it sends it',
		'raw headers': 'fetch joins, orders and rejects headers',
		'any method': 'fetch rejects TRACE and CONNECT, and a body with GET',
		'second address': 'requests within one process have no address',
		agents: 'browsers have no server for agents'
	},
	except: {
		'AZ-06 returns state byte for byte: after approval, denial and errors':
			"fetch writes ' as %27 in a query before a handler sees it"
	}
});
