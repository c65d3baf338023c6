/** An address of the ranges for documentation (RFC 5737, RFC 3849): 192.0.2.0/24 or 2001:db8::/32. */
export const virtualAddressPattern =
	/^(?:192\.0\.2\.(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)|2001:0?db8(?::[0-9a-f]{1,4}){0,5}:(?::|(?::?[0-9a-f]{1,4}){1,6}))$/i;
