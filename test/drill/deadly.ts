/** The goal of missions that end the thread of their engine, in the daemons of the drill. */
export const deadly_goal = 'end the thread of the engine';
