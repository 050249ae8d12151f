/**
 * The tool manifest, AEP-005-TOOL-MANIFEST: one table of its members, from which the codec and the published JSON Schema are made.
 * All members are required. Other members are kept and never interpreted.
 */
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { Fault } from '../base/fault.js';
import type { FieldError } from '../base/refusal.js';
import { append, at, fault, isObject } from './faults.js';
import { choice, ChoiceType, flag, list, ListType, text, TextType } from './kit.js';

export const permissionClasses = [
  'none',
  'read',
  'draft',
  'transform',
  'write',
  'execute',
  'external_contact',
  'send',
  'delete',
  'deploy',
  'payment',
  'secret_access',
  'admin_change',
  'protected_operation',
  'break_glass',
] as const;
export const toolStatuses = ['active', 'deprecated', 'disabled', 'quarantined', 'draft'] as const;
export type ToolStatus = (typeof toolStatuses)[number];

const permission = choice(...permissionClasses);
const words = text();
const many = <A>(item: t.Type<A, unknown>): t.Type<readonly A[], unknown> => list(item, 0, Number.MAX_SAFE_INTEGER);

interface Member<A> {
  readonly codec: t.Type<A, unknown>;
  readonly about: string;
}
const member = <A>(codec: t.Type<A, unknown>, about: string): Member<A> => ({ codec, about });

const manifestMembers = {
  tool_id: member(words, 'identifies the tool'),
  schema: member(choice('AEP-005-TOOL-MANIFEST'), 'names this format'),
  schema_version: member(words, 'version of the format; any text'),
  tool_name: member(words, 'name for people'),
  tool_version: member(words, 'version of the tool'),
  provider: member(words, 'who supplies the tool'),
  description: member(words, 'what the tool does'),
  permission_classes_supported: member(many(permission), 'every class of permission that a use of the tool may need'),
  default_permission: member(permission, 'the class that a use has when nothing else is said'),
  risk_class: member(choice('low', 'medium', 'high', 'protected', 'restricted'), 'how much harm a wrong use can do'),
  side_effects: member(many(words), 'what a use changes'),
  data_access: member(many(words), 'what a use reads'),
  external_effect: member(flag, 'whether a use reaches anybody or anything outside'),
  rollback_supported: member(flag, 'whether a use can be undone'),
  compensation_supported: member(flag, 'whether a use can be made good by another action'),
  approval_required_for: member(many(permission), 'classes that need the approval of a person before each use'),
  audit_required: member(flag, 'whether each use must be recorded'),
  evidence_required: member(flag, 'whether each use must leave evidence of what it did'),
  owner: member(words, 'who answers for the tool'),
  status: member(choice(...toolStatuses), 'whether the tool may be used'),
} as const;

type Members = typeof manifestMembers;
/** A manifest as received: the object may have more members than these. */
export type ToolManifest = { readonly [K in keyof Members]: t.TypeOf<Members[K]['codec']> };

const members: readonly (readonly [string, { readonly codec: t.Mixed }])[] = Object.entries(manifestMembers);

/** Returns true when decoding found no error, so that the object is a manifest. */
const fits = (_: object, errors: t.Errors): _ is ToolManifest => errors.length === 0;

export const manifestCodec: t.Type<ToolManifest, unknown, unknown> = new t.Type<ToolManifest, unknown, unknown>(
  'ToolManifest',
  (u): u is ToolManifest => E.isRight(manifestCodec.decode(u)),
  (u, c) => {
    if (!isObject(u)) return t.failure(u, c, 'must be an object');
    const errors: t.Errors = [];
    for (const [name, { codec }] of members) {
      if (!Object.hasOwn(u, name)) {
        errors.push(fault(u, at(c, name, codec, undefined), 'required'));
        continue;
      }
      const decoded = codec.validate(u[name], at(c, name, codec, u[name]));
      if (E.isLeft(decoded)) append(errors, decoded.left);
    }
    return fits(u, errors) ? t.success(u) : t.failures(errors);
  },
  (manifest) => manifest,
);

type PermissionClass = (typeof permissionClasses)[number];
/** Permission classes whose use affects somebody outside. */
const externalClasses: readonly PermissionClass[] = ['external_contact', 'send', 'payment'];

/** Returns a warning for each member that is valid alone but contradicts another one. */
export function manifestWarnings(manifest: ToolManifest): FieldError[] {
  const { permission_classes_supported: supported, default_permission, approval_required_for: approval } = manifest;
  const warnings: FieldError[] = [];
  if (manifest.schema_version === '') warnings.push({ path: 'schema_version', message: 'is empty' });
  if (default_permission !== 'none' && !supported.includes(default_permission)) {
    warnings.push({ path: 'default_permission', message: `${default_permission} is not among permission_classes_supported` });
  }
  approval.forEach((name, i) => {
    if (!supported.includes(name))
      warnings.push({ path: `approval_required_for[${i}]`, message: `${name} is not among permission_classes_supported` });
  });
  const outward = externalClasses.filter((name) => supported.includes(name));
  if (outward.length > 0 && !manifest.external_effect) {
    warnings.push({ path: 'external_effect', message: `is false, although ${outward.join(', ')} reaches outside` });
  }
  return warnings;
}

export type Schema = Readonly<Record<string, unknown>>;

/**
 * Returns the JSON Schema (draft 2020-12) of a manifest. It allows undeclared members, because it does not set `additionalProperties`.
 */
export const manifestSchema = (): Schema => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'AEP-005-TOOL-MANIFEST',
  description: 'One tool: its permissions, risk, effects, data, approval, audit and evidence needs, owner and status.',
  type: 'object',
  properties: Object.fromEntries(
    Object.entries(manifestMembers).map(([name, { codec, about }]) => [name, { description: about, ...schemaOf(codec) }]),
  ),
  required: Object.keys(manifestMembers),
});

function schemaOf(codec: t.Mixed): Schema {
  if (codec instanceof TextType) return { type: 'string' };
  if (codec instanceof ListType) return { type: 'array', items: schemaOf(codec.item) };
  if (codec instanceof ChoiceType) return ofChoice(codec.choices);
  throw new Fault(`${codec.name} has no schema`);
}

function ofChoice(choices: readonly unknown[]): Schema {
  if (choices.every((value) => typeof value === 'boolean')) return { type: 'boolean' };
  return choices.length === 1 ? { type: 'string', const: choices[0] } : { type: 'string', enum: choices };
}
