import { chromiumHost, startChromium } from './hosts/chromium.ts';
import { runOn } from './run-on.ts';

runOn({ ...chromiumHost, shows: 'host', start: () => startChromium('worker') });
