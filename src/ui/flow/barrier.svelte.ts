export type BarrierState = 'idle' | 'open' | 'closed' | 'broken';

/** Text alternative of each state. */
export const barrierLabels: Record<BarrierState, string> = {
	idle: 'No request yet',
	open: 'Last request accepted',
	closed: 'Last request rejected',
	broken: 'No response'
};

/** State of the toll barrier in the logo. The pages that send requests update it. */
export class BarrierMark {
	state: BarrierState = $state('idle');

	/**
	 * Shows the result of a request.
	 * @param status HTTP status, or null without a response
	 */
	show(status: number | null): void {
		if (status === null) this.state = 'broken';
		else this.state = status < 400 ? 'open' : 'closed';
	}
}

export const barrier = new BarrierMark();
