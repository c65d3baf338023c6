import { startSlow } from '../conformance/hosts/direct.ts';
import { runOn } from '../conformance/run-on.ts';

runOn({ name: 'direct call, a second later each time', start: () => startSlow(1000), oneByOne: true });
