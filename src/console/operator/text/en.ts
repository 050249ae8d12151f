/** The English dictionary; every other has exactly its keys. */
import { audit } from './en/audit.js';
import { create } from './en/create.js';
import { list, mission, review } from './en/missions.js';
import { invoice, payments, receipt, settlement, wallet } from './en/payments.js';
import { failed, shell, states } from './en/shell.js';
import { doctor, journal, tools } from './en/system.js';

export const en = {
  shell,
  failed,
  states,
  list,
  mission,
  review,
  create,
  journal,
  audit,
  doctor,
  tools,
  payments,
  wallet,
  invoice,
  settlement,
  receipt,
};

export type Words = typeof en;
