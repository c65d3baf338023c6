import { virtualAddressPattern } from '#api/control/virtual-address.ts';

const key = 'tollgate:address';

/** The address that the requests of this browser count for. Our own clients and pages send it with every request. */
export class VirtualAddress {
	/** Empty: requests count for the network address. */
	value = $state('');

	/** Reads the stored choice and follows changes from other tabs. Returns a function that stops it. */
	start(): () => void {
		this.value = storedAddress();
		const follow = (event: StorageEvent) => {
			if (event.key === key || event.key === null) this.value = storedAddress();
		};
		addEventListener('storage', follow);
		return () => removeEventListener('storage', follow);
	}

	/** Stores a choice. Without storage it has no effect. */
	set(address: string): void {
		try {
			if (address === '') localStorage.removeItem(key);
			else localStorage.setItem(key, address);
		} catch {
			// Storage is blocked.
		}
		this.value = storedAddress();
	}
}

/** The stored address, or empty if there is none. */
export function storedAddress(): string {
	try {
		const found = localStorage.getItem(key) ?? '';
		return virtualAddressPattern.test(found) ? found : '';
	} catch {
		return '';
	}
}

/** The header that makes a request count for an address; none where it is empty. */
export function addressHeaders(address: string): Readonly<Record<string, string>> {
	return address === '' ? {} : { 'x-tollgate-address': address };
}
