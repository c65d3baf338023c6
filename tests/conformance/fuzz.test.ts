import { fuzz } from './fuzz.ts';

fuzz({ requests: 200, perStatus: 1, garbage: 80, resets: 80, timeout: 20_000 });
