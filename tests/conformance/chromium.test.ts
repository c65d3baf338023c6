import { startChromium } from './hosts/chromium.ts';
import { runOn } from './run-on.ts';

runOn({
	name: 'browser host, in Chromium',
	start: () => startChromium(),
	lacks: {
		'raw target': 'a browser normalises a target before it sends it',
		'raw headers': 'a browser joins, orders and refuses headers',
		'any method': 'a browser refuses TRACE and CONNECT, and a body with GET',
		'second address': 'one browser is one client'
	},
	except: {
		'AZ-06 returns state byte for byte: after approval, denial and errors':
			"a browser writes ' as %27 in a query before a handler sees it"
	}
});
