import { startDirect } from './hosts/direct.ts';
import { runOn } from './run-on.ts';

runOn({ name: 'direct call', lacks: { agents: 'it has the service of browsers' }, start: startDirect });
