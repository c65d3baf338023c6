import { startDirect } from './hosts/direct.ts';
import { runOn } from './run-on.ts';

runOn({ name: 'direct call', start: startDirect });
