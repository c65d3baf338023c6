import { createMemoryStore } from '#store/memory.ts';
import { holdsContract } from './contract.ts';

holdsContract('memory', (rules) => Promise.resolve(createMemoryStore(rules)));
