import { fuzz } from './fuzz.ts';

fuzz({ requests: 200, perStatus: 1, garbage: 200, resets: 80, timeout: 120_000 });
