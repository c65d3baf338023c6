import { fuzz } from '../conformance/fuzz.ts';

fuzz({ requests: 18_000, perStatus: 6, garbage: 2_000, resets: 2_000, timeout: 240_000 });
