/** Returns the mark of what an assistant submitted: goal, titles and sources are its words, not those of a person. */
export const assistantMark = (name: string): string => `from the assistant ${name}`;
