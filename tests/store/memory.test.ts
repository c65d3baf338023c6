import { createMemoryStore } from '#store/memory.ts';
import { testStore } from './contract.ts';

testStore('memory', (rules) => Promise.resolve(createMemoryStore(rules)));
