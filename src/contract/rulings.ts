/**
 * How clauses are judged that can be read in more than one way. Two rules stand above all: what the specification
 * states is judged, what it does not show is never failed.
 */
export const RULINGS: Readonly<Record<number, string>> = {
  1: 'A BigDecimal is a JSON number or a decimal string, and which one is recorded. Number, Integer and Long are JSON numbers. Only volume of ETF history may also be a string, and then equals value_traded.',
  2: 'A timestamp of type String is any non-empty string; its format is recorded. A Long timestamp said to be in milliseconds lies between 10^12 and 10^14; any other is an integer whose unit is recorded.',
  3: 'null stands only where a clause allows it, and for a number that cannot exist: the price to earnings of a company at a loss, a figure not released yet. A missing field is a violation. Extra fields are recorded.',
  4: 'A value outside a stated bound is refused with a 400-class error or brought into the range; the bound itself is accepted. Where no minimum is stated, zero, negative and non-numeric values get a conforming answer or a 400-class error. Pages before the last are full; a limit below what the window holds gives exactly that many rows, which is a should for ETF history, where one description only has a limit. A news page_size from 101 to 200 is a reading, above 200 a violation.',
  5: 'A range beyond the recent window is refused with a 4xx error of the documented shape, cut, or empty. Records older than the window plus one day are a violation where a range was sent and in ETF history; elsewhere they are recorded.',
  6: 'A five-digit code is accepted where its six-digit twin is due, and recorded; a target that mixes both is told so. The generic 40001 stands for any validation failure. A code of another cause is a violation.',
  7: 'A request without any key is refused with 401 in the error shape; the code is recorded, 400101 being expected.',
  8: 'When several errors apply, any of them is accepted and the order is recorded. A bad key may therefore be refused for another error of the request, unless the same request works with a good key.',
  9: 'Codes 400002 and 400003 are required where a clause names the case. An unknown country_code is refused with a 400-class error: 400003 is a should, and 400001 in the form of the unlisted pair is as good. An unknown language or category should be refused, and a fallback is recorded.',
  10: 'A refused value of a parameter of §4.1 to §4.6 is named at the beginning, after Invalid parameter:, and the rest is free. A missing parameter is named anywhere. The messages for an unknown currency, the rate limit and an unlisted pair are required to the letter, symbol and country_code as sent or in upper case. No message is judged for other unknown identifiers, ranges beyond the window and §4.7. details is an object; details.header of authentication errors is required; other keys are a should.',
  11: 'An unknown ticker, event, chart or project should get 404 and 400401; a 5xx or a record with a figure is a violation. An identifier that was derived or discovered accuses nobody: answered otherwise than expected, others are tried, and then the matter is untested. A known currency without fundraising or token economics may answer 404, as long as one has them.',
  12: 'The rate-limit headers are required on the refusal and optional elsewhere; where present, their arithmetic holds, and the reset is in milliseconds.',
  13: 'In each announced window exactly the limit is admitted when more is sent, per key. Whether the window is fixed or slides, and whether refused requests count, is recorded.',
  14: 'retry_after is an integer whose unit is recorded by fitting it to the reset; details.limit and details.window are as stated.',
  15: 'The request after the last one of the monthly quota is refused in the error shape; status and code are recorded.',
  16: 'Purpose-only endpoints exist, need the key, answer JSON and keep the error shape. Their records are recorded, never judged.',
  17: 'If one settlement figure of the newest row is null, all five are, and value_traded and volume are filled. Other rows are complete once the next trading day of the country is over, and so is a row that an earlier run saw unsettled. Without an unsettled row the matter is untested. The newest row should be at most a few trading days old.',
  18: 'No row for a Saturday or Sunday, nor for a holiday, where trading days are stated. Holidays are judged by the calendars that the exchanges have published, and half days are trading days.',
  19: 'Where order is silent it is recorded; mixed order and duplicate timestamps are a should, though several releases may share a day. Which end a limit keeps is recorded for each endpoint, so a smaller limit is a contiguous part of a larger one.',
  20: 'Methods other than GET are recorded. A 5xx on a well-formed GET is a violation. Of the answers to hostile texts only a 5xx is, for a firewall may have given the others.',
  21: 'The bare body is specified. A target that wraps every body violates that; with envelope set, the inside is judged and a note stays on the report.',
  22: 'What a stated parameter asks for is what comes: the right range, the right number of rows, the records of the identifier. Figures that are not settled are null, not 0. Values that must agree are judged must where a clause says so and should where it follows from a meaning. Live data may move between two requests: what cannot have moved is compared, or the comparison is repeated once.',
};
