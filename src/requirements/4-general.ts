import { ALL_PROPERTIES } from '../ask/properties.ts';
import { OBSERVATIONS } from '../rules/observations.ts';
import { TRANSPORT } from '../rules/transport.ts';
import { must, should, observe, type Definition } from './definition.ts';

/** Requirements of §1 and §4 in general. */
export const GENERAL_REQUIREMENTS = {
  '4/json-body': must({
    title: 'Every answer of an endpoint is valid JSON',
    clauses: ['1 JSON over HTTP', '4 JSON and key'],
    why: 'A client that parses JSON stops at the first character of anything else.',
    usually: [
      'A gateway or proxy answers with its own page of HTML: look at the status and at the server header of the exchange.',
      'A byte order mark stands before the JSON, or two documents follow each other.',
      'NaN or Infinity stands for a missing figure, which JSON does not have.',
    ],
    drawn: ALL_PROPERTIES,
    judge: TRANSPORT.jsonBody,
  }),
  '4/content-type': should({
    title: 'The content type of every answer says JSON',
    clauses: ['1 JSON over HTTP'],
    why: 'Browsers and many clients decide by the content type whether to parse.',
    usually: [
      'The type is text/plain or text/html by default of the server, often on errors only.',
    ],
    judge: TRANSPORT.contentType,
  }),
  '4/bare-body': must({
    title: 'Bodies are the bare object or array, not wrapped in an envelope',
    clauses: ['4 response shapes'],
    rulings: [21],
    why: 'Every generated client expects the object or array itself. One envelope around all bodies breaks all of them.',
    usually: [
      'A framework or gateway wraps each body in {code, message, data}. Set `envelope: data` to judge what is inside; the violation stays.',
      'Only errors are wrapped, or only lists.',
    ],
    judge: TRANSPORT.bareBody,
  }),
  '4/no-5xx': must({
    title: 'No well-formed GET is answered with a 5xx status',
    clauses: ['4 response shapes', '7 500001'],
    rulings: [20],
    why: 'A well-formed GET changes nothing and asks for nothing unusual; a server error is always a defect of the service.',
    usually: [
      'A value at the edge of what is allowed (an empty window, the last page) was not foreseen.',
      'The back end times out under load; look whether it came back when the request was repeated.',
    ],
    drawn: ALL_PROPERTIES,
    judge: TRANSPORT.no5xx,
  }),
  '4/other-methods': observe({
    title: 'Answer to methods other than GET',
    clauses: ['1 JSON over HTTP', '4 JSON and key'],
    shownBy: 'a request with another method than GET',
    rulings: [20],
    judge: OBSERVATIONS.otherMethods,
  }),
} as const satisfies Record<string, Definition>;
