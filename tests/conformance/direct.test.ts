import { startDirect, startSlow } from './hosts/direct.ts';
import { runOn } from './run-on.ts';

runOn({ name: 'direct call', start: startDirect });
runOn({ name: 'direct call, a second later each time', start: () => startSlow(1000), oneByOne: true });
