/** A goal as a heading and what follows it. */

const title_chars_max = 200;

/** The first sentence is the title where it is short enough; else the goal is cut at a word. Nothing is lost. */
export function titleOf(goal: string): { readonly title: string; readonly rest: string } {
  if (goal.length <= title_chars_max / 2) return { title: goal, rest: '' };
  const sentence = /^.{12,}?[.!?](?=\s)/su.exec(goal)?.[0] ?? goal;
  if (sentence.length <= title_chars_max) return { title: sentence, rest: goal.slice(sentence.length).trim() };
  const cut = goal.lastIndexOf(' ', title_chars_max);
  const at = cut > 0 ? cut : title_chars_max;
  return { title: `${goal.slice(0, at)}…`, rest: `…${goal.slice(at)}` };
}
