/** What the pause of messages shares with the rest of the page. */
export const pauseSwitch = $state({
	/** Whether the choice of messages to hold is open. The strip and the palette open it. */
	isOpen: false,
	/** Whether messages of the sandbox are held, so that a response may take minutes. */
	isPaused: false,
	/** What waits for a decision on this page: `Code exchange`. Empty: nothing. */
	held: '',
	/** Whether the user closed the message that waits. The strip shows it again. */
	isHidden: false
});
