/**
 * How clauses are judged that can be read in more than one way. Two rules stand above all: what the specification
 * states is judged, what it does not show is never failed.
 */
export const RULINGS: Readonly<Record<number, string>> = {
  1: 'A BigDecimal is a JSON number or a decimal string, and which one is recorded. Number, Integer and Long are JSON numbers. Only volume of ETF history may also be a string, and then equals value_traded.',
  2: 'A timestamp of type String is any non-empty string; its format is recorded. A Long timestamp said to be in milliseconds lies between 10^12 and 10^14; any other is an integer whose unit is recorded.',
  3: 'null stands only where a clause allows it. A missing field is a violation. Extra fields are recorded.',
  4: 'A value outside a stated bound is refused with a 400-class error or brought into the range; the bound itself is accepted. Where no minimum is stated, zero, negative and non-numeric values get a conforming answer or a 400-class error. Pages before the last are full; a limit below what the window holds gives exactly that many rows. A news page_size from 101 to 200 is a reading, above 200 a violation.',
  5: 'A range beyond the recent window is refused with a 4xx error of the documented shape, cut, or empty. Records older than the window plus one day are a violation.',
  6: 'A five-digit code is accepted where its six-digit twin is due, and recorded; a target that mixes both is told so. A code of another cause is a violation.',
  7: 'A request without any key is refused with 401 in the error shape; the code is recorded, 400101 being expected.',
  8: 'When several errors apply, any of them is accepted and the order is recorded.',
  9: 'Codes 400002 and 400003 are required where a clause names the case. An unknown country_code is refused with a 400-class error, code 400003 being a should; an unknown language or category should be refused, and a fallback is recorded.',
  10: 'Stated messages are required to the letter, symbol and country_code as sent or in upper case. details is an object; details.header of authentication errors is required; other keys are a should.',
  11: 'An unknown ticker, event, chart or project should get 404 and 400401; a 5xx or an invented record is a violation.',
  12: 'The rate-limit headers are required on the refusal and optional elsewhere; where present, their arithmetic holds, and the reset is in milliseconds.',
  13: 'In each announced window exactly the limit is admitted when more is sent, per key. Whether the window is fixed or slides, and whether refused requests count, is recorded.',
  14: 'retry_after is an integer whose unit is recorded by fitting it to the reset; details.limit and details.window are as stated.',
  15: 'The request after the last one of the monthly quota is refused in the error shape; status and code are recorded.',
  16: 'Purpose-only endpoints exist, need the key, answer JSON and keep the error shape. Their records are recorded, never judged.',
  17: 'If one settlement figure of the newest row is null, all five are, value_traded and volume are filled, and no other row has a null. A row seen unsettled is complete on the next day. Without an unsettled row the matter is untested.',
  18: 'No row for Saturday or Sunday where trading days are stated; exchange holidays are a should.',
  19: 'Where order is silent it is recorded; mixed order and duplicate timestamps are a should. Which end a limit keeps is silent, so a smaller limit is a contiguous part of a larger one.',
  20: 'Methods other than GET are recorded. A 5xx on a well-formed GET is a violation.',
  21: 'The bare body is specified. A target that wraps every body violates that; with envelope set, the inside is judged and a note stays on the report.',
  22: 'Values that must agree are judged must where a clause says so and should where it follows from a meaning. Live data may move between two requests: what cannot have moved is compared, or the comparison is repeated once.',
};
