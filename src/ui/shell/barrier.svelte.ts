export type BarrierState = 'idle' | 'open' | 'closed' | 'broken';

/** What the mark says in each state, for those who do not see it. */
export const barrierLabels: Record<BarrierState, string> = {
	idle: 'No call yet',
	open: 'The last call was accepted',
	closed: 'The last call was refused',
	broken: 'This client is blacklisted: the service does not answer'
};

/** The toll barrier of the shell. Whoever makes calls tells it how they went. */
export class BarrierMark {
	state: BarrierState = $state('idle');

	/**
	 * Shows how a call went. After a silence it stays broken until the service answers again.
	 * @param status the HTTP status of the answer; null where none came
	 */
	show(status: number | null): void {
		if (status === null) this.state = 'broken';
		else this.state = status < 400 ? 'open' : 'closed';
	}

	/** Nothing has been called: another sandbox, a reset. */
	rest(): void {
		this.state = 'idle';
	}
}

export const barrier = new BarrierMark();
