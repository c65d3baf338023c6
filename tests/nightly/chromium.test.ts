import { chromiumHost, startChromium } from '../conformance/hosts/chromium.ts';
import { runOn } from '../conformance/run-on.ts';

// In `npm test` the cases run in the service worker. Here each request comes from a page, through the browser.
runOn({ ...chromiumHost, start: () => startChromium('page') });
