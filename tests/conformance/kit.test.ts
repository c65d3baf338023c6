import { startKit } from './hosts/kit.ts';
import { runOn } from './run-on.ts';

runOn({ name: 'built kit host, over TLS sockets', shows: 'host', start: startKit });
