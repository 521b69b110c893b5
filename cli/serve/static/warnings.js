// Sentences about a log, for the verdicts of a phone. A page loads them when there is one to say: the hall
// answered just then, so they can be had.

import { tr, trMany } from "./texts.js";
import { CALM } from "./verdict.js";

const SENTENCES = {
  "unreadable": (about) => tr("This server's answer about the log cannot be read: {fault}.", about),
  "not-checked": (about) => tr("This server's answer cannot be checked: {fault}.", about),
  "stores-nothing": () => tr("This browser stores nothing between pages, so it cannot notice a changed log."),
  "kept-damaged": () => tr("The data that this browser kept from earlier visits is damaged."),
  "entry-damaged": () => tr("The data that this browser kept about this tournament is damaged."),
  "this-is": (about) => tr("This is {name}.", about),
  "also-keeps": ({ other, known }) => trMany("This browser also keeps the head of {other} ({count} event).",
    "This browser also keeps the head of {other} ({count} events).", known, { other: other || tr("another tournament") }),
  "no-head": (about) => tr("This server cannot sign for {name}: it has no signed head that this browser could keep.", about),
  "no-voice": (about) => tr("This server cannot sign for {name}. Its events continue the {known} that this browser saw.", about),
  "no-voice-covers": (about) => tr("This server cannot sign for {name}: its head covers {head} of {size} events.", about),
  "no-voice-fewer": (about) => tr("This server cannot sign for {name}, and its events ({size}) are fewer than those of this browser's signed head ({known}). Ask the desk whether a backup was restored.", about),
  "no-voice-other": (about) => tr("This server cannot sign for {name}, and its events ({size}) do not continue those that this browser saw ({known}). Ask the desk whether a backup was restored.", about),
  "head-invalid": (about) => tr("The signed head that this server shows for {name} is not valid: {fault}.", about),
  "head-longer": (about) => tr("This server has fewer events of {name} than its own signed head covers: {size} of {head}.", about),
  "head-other": (about) => tr("The events of {name} on this server are not the {head} that its own signed head covers.", about),
  "fewer": (about) => tr("This server has fewer events of {name} than this browser saw: {size} of {known}.", about),
  "other": (about) => tr("This server has a different history of {name}: its events ({size}) do not continue those that this browser saw ({known}).", about),
  "show": () => tr("Show this to the head judge."),
  "other-key": (about) => tr("{name} is signed with a different key than before, and the previous key did not approve the new one: ask the desk whether the previous key was lost.", about),
  "key-renewed": () => tr("The log's key was renewed, and the previous key approved the new one."),
  "key-further": () => tr("A second computer follows this tournament; the log's key approved it, so that it can take over."),
  "taken-over": (about) => tr("Another computer took over {name}; this browser knew its key before.", about),
  "taken-over-lost": ({ lost, name }) => trMany("Another computer took over {name}; this browser knew its key before. The last event that this browser saw is not in the log any more: check your results.",
    "Another computer took over {name}; this browser knew its key before. The last {count} events that this browser saw are not in the log any more: check your results.", lost, { name }),
  "replaced": (about) => tr("Another computer took over {name} from this one. Nothing that is entered here counts: ask the desk for the new address.", about),
  "restored": (about) => tr("An older copy of {name} was restored; the six words of it were compared on this browser.", about),
  ...CALM,
};

export function inWords(said, about) { // of the names of sentences
  return said.map((name) => SENTENCES[name]({ ...about, name: about.name || tr("this tournament") })).join(" ");
}
