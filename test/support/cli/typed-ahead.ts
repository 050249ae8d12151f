/** Typing ahead on a pseudo-terminal, by script (util-linux). */

/**
 * A shell script: types its first argument, then runs its second, a line of a shell, on a pseudo-terminal. Standard input stays open
 * until the line has ended, for script 2.38.1 sometimes never ends when its standard input ends while the line starts or just ended.
 */
export const typed_ahead = `keys=$(mktemp -u) && mkfifo "$keys" && exec 3<>"$keys" && rm "$keys" && printf %s "$1" >&3 &&
exec script -qec "$2" /dev/null <&3 3>&-`;

export const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;
