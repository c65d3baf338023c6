import { startWholeKit } from '../conformance/hosts/kit.ts';
import { runOn } from '../conformance/run-on.ts';

runOn({ name: 'built kit host with the service of the build', start: startWholeKit });
