import { startNode } from './hosts/node.ts';
import { runOn } from './run-on.ts';

runOn({ name: 'node host, over TLS sockets', shows: 'host', start: startNode });
