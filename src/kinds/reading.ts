/**
 * Reads a result of the reference agent from its own text. Values come with the token that they were written as, because its
 * rules distinguish an integer (`3`) from a float (`3.0`).
 */
import type { JsonNode } from '../base/json.js';
import { need } from './claims.js';

/** A result in its original text, which its hash covers. */
export interface ReferenceResult {
  readonly node: JsonNode;
  readonly text: string;
}

export function memberOf(node: JsonNode, name: string, path: string): JsonNode {
  const member = node.members?.get(name);
  need(member !== undefined, `${path === '' ? '' : `${path}.`}${name} is missing`);
  return member;
}

export function listOf(node: JsonNode, path: string): readonly JsonNode[] {
  need(node.items !== null, `${path} must be a list`);
  return node.items;
}

export function textOf(node: JsonNode, path: string): string {
  need(typeof node.value === 'string', `${path} must be a text`);
  return node.value;
}

export function numberOf(node: JsonNode, path: string): number {
  need(typeof node.value === 'number', `${path} must be a number`);
  return node.value;
}

const integerToken = /^-?(?:0|[1-9][0-9]*)$/;

/** Returns a number that is written as an integer and that a double holds exactly. */
export function integerOf(node: JsonNode, text: string, path: string): number {
  const value = numberOf(node, path);
  need(isIntegerToken(node, text), `${path} must be an integer`);
  return value;
}

const isIntegerToken = (node: JsonNode, text: string): boolean => integerToken.test(text.slice(node.start, node.end));

/** Returns whether a node is an integer that a double does not hold exactly. */
export const isRoundedInteger = (node: JsonNode, text: string): boolean =>
  typeof node.value === 'number' && !Number.isSafeInteger(node.value) && isIntegerToken(node, text);
