import type { Session } from '#client/tokens/sessions.ts';
import type { Forecast } from '#client/resources/forecast.ts';
import { spokenDuration } from '../gauges/duration.ts';

/** The characters of the demo world, and whose they are. */
export const demoNames = [
	{ name: 'Mara Vell', player: 'player-one' },
	{ name: "Tomas d'Arc", player: 'player-one' },
	{ name: 'Zoë Šťastná', player: 'player-two' },
	{ name: 'Half/Life', player: 'player-two' },
	{ name: '100% Orc', player: 'player-three' }
] as const;

/** The encodings of the service. */
export const formats = [
	{ value: 'json', label: 'JSON' },
	{ value: 'xml', label: 'XML' }
] as const;

/**
 * A forecast as the gauge shows it.
 * @param forecast from the pace of the last two minutes
 */
export function forecastText(forecast: Forecast): string | undefined {
	if (forecast.kind === 'empties') return `At this pace empty in ${spokenDuration(forecast.in)}`;
	if (forecast.kind === 'lasts')
		return forecast.pace === 0 ? undefined : `At this pace ${forecast.spare} left at the reset`;
	return forecast.kind === 'empty' ? 'Empty until the reset' : undefined;
}

/**
 * How old a gauge is, where that matters.
 * @param age since the last answer, in milliseconds
 */
export function ageText(age: number): string | undefined {
	return age < 60_000 ? undefined : `Told ${ago(age)}`;
}

/** A share of time that passed, in words: `just now`, `12 seconds ago`. */
export function ago(milliseconds: number): string {
	return milliseconds < 1500 ? 'just now' : `${spokenDuration(milliseconds - 999)} ago`;
}

/** The state of a session in one or two words. */
export function tokenStatus(session: Session): string {
	if (session.ended === 'session_expired') return 'Expired';
	if (session.ended === 'access_revoked') return 'Access revoked';
	if (session.ended === 'refused_again') return 'Refused';
	return session.refresh_token === null ? 'Online' : 'Offline access';
}
