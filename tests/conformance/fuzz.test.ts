import { fuzz } from './fuzz.ts';

fuzz({ requests: 500, perStatus: 1, garbage: 200, resets: 200, timeout: 20_000 });
