import { virtualAddressPattern } from '#api/control/virtual-address.ts';
import { followStored, storedText, storeText } from './storage/web-storage.ts';

const key = 'tollgate:address';

/** The address that the requests of this browser count for. Our own clients and pages send it with every request. */
export class VirtualAddress {
	/** Empty: requests count for the network address. */
	value = $state('');

	/** Reads the stored choice and follows changes from other tabs. Returns a function that stops it. */
	start(): () => void {
		this.value = storedAddress();
		return followStored(key, () => (this.value = storedAddress()));
	}

	/** Stores a choice. Without storage it has no effect. */
	set(address: string): void {
		storeText(key, address);
		this.value = storedAddress();
	}
}

/** The stored address, or empty if there is none. */
export function storedAddress(): string {
	const found = storedText(key);
	return virtualAddressPattern.test(found) ? found : '';
}

/** The header that makes a request count for an address; none where it is empty. */
export function addressHeaders(address: string): Readonly<Record<string, string>> {
	return address === '' ? {} : { 'x-tollgate-address': address };
}
