import 'fake-indexeddb/auto';
import { Database } from '#hosts/browser/database.ts';
import { createIndexedDbStore } from '#store/indexed-db.ts';
import { testStore } from './contract.ts';

let made = 0;

testStore('IndexedDB', (rules) => {
	made++;
	return Promise.resolve(createIndexedDbStore(rules, new Database(`contract ${String(made)}`).transact));
});
