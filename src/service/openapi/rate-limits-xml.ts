import type { Schema } from './json-schema.ts';

const attribute = (type: string): Schema => ({ type: type === 'integer' ? type : 'string', xml: { attribute: true } });

const ratelimits: Schema = {
	type: 'object',
	xml: { name: 'ratelimits' },
	properties: {
		version: attribute('string'),
		total: attribute('integer'),
		ratelimit: {
			type: 'array',
			items: {
				type: 'object',
				properties: {
					pattern: attribute('string'),
					limit: attribute('integer'),
					remaining: attribute('integer'),
					reset: attribute('integer'),
					reset_time: attribute('string')
				}
			}
		}
	}
};

/** The XML documents with attributes, by root element. All others have one child element per field (section 2.4). */
export const rateLimitsXml: Readonly<Record<string, Schema>> = {
	ratelimits,
	ratelimiting: {
		type: 'object',
		xml: { name: 'ratelimiting' },
		properties: {
			state: attribute('string'),
			address: attribute('string'),
			reason: attribute('string'),
			since: attribute('integer'),
			support: attribute('string'),
			tickets: attribute('string'),
			ratelimits
		}
	}
};
