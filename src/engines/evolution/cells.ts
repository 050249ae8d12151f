/**
 * Reading a typed array within its bounds. Every index here is in range by construction, so the `undefined` that the compiler adds
 * for a read out of bounds cannot occur. One function for each type of array: V8 inlines a read that has seen one type only.
 */
export const at = (list: Int32Array, index: number): number => list[index] as number;
export const real = (list: Float64Array, index: number): number => list[index] as number;
