import { expect, test } from 'vitest';
import { ControlError } from '#client/control-api/control-api.ts';
import { FormState } from '#client/control-api/form-state.svelte.ts';

const rejected = (field?: string) => new ControlError('invalid_request', 'Use a number.', 400, field);

test('a request that succeeds leaves no error', async () => {
	const form = new FormState(['name']);
	form.reject('name', 'Enter a name.');
	const sent = form.run(async () => undefined);
	expect([form.isBusy, form.errorOf('name')]).toEqual([true, '']);
	expect(await sent).toBe(true);
	expect([form.isBusy, form.error]).toEqual([false, undefined]);
});

test('an error of a field that the form has is at this field', async () => {
	const form = new FormState(['limits.window']);
	const error = rejected('limits.window');
	expect(await form.run(() => Promise.reject(error))).toBe(false);
	expect([form.errorOf('limits.window'), form.errorOf('name'), form.error]).toEqual(['Use a number.', '', undefined]);
});

test('an error of the whole request, or of another field, belongs to no field', async () => {
	const form = new FormState(['name']);
	for (const error of [rejected(), rejected('kind')]) {
		expect(await form.run(() => Promise.reject(error))).toBe(false);
		expect([form.error, form.errorOf('name'), form.errorOf('kind')]).toEqual([error, '', '']);
	}
	await form.run(async () => undefined);
	expect(form.error).toBeUndefined();
});

test('a request that rejects a field itself has failed', async () => {
	const form = new FormState();
	expect(await form.run(async () => form.reject('key', 'Enter the key.'))).toBe(false);
	expect(form.errorOf('key')).toBe('Enter the key.');
});

test('a form is busy until the last of its requests has ended', async () => {
	const form = new FormState();
	const ends: (() => void)[] = [];
	const wait = () => new Promise<void>((resolve) => ends.push(resolve));
	const [first, second] = [form.run(wait), form.run(wait)];
	ends[1]?.();
	await second;
	expect(form.isBusy).toBe(true);
	ends[0]?.();
	await first;
	expect(form.isBusy).toBe(false);
});

test('an error that is not of the service is thrown, and the form is no longer busy', async () => {
	const form = new FormState();
	await expect(form.run(() => Promise.reject(new RangeError('wrong')))).rejects.toThrow(RangeError);
	expect(form.isBusy).toBe(false);
});
