// The data of the page, as cli/report_*.c write it.  null stands for a number that is not known.

import type { Answer, Row } from "./tables";

export type Num = number | null;

/** What select --json prints: the rows of two answers, and sentences about them, the first of which is the advice. */
export interface Selection {
    selection: Row[];
    "selection-scores": Row[];
    notes: string[];
}

/** What is predicted of a document for one response: true classes, or the true number; predicted ones; probabilities of the predicted class and of
 * the first true one; the score of the predicted class, or of the positive one; for a number its 5 % and 95 % quantiles. */
export type Prediction = [number[] | null, number[], Num, Num, Num, Num, Num];

/** A score as a sum: rows of the answers "explanation" and "explanation-words", of which some columns are here. */
export interface Why {
    class: string; // "" for numbers and ordinal categories
    score: number;
    parts: [kind: string, feature: string, part: number][]; // the first is the average document, the last may be of all that are smaller
    words: [word: string, part: number][]; // what words add in all, by topics and by themselves: not a part of the sum
}

export interface Doc {
    id: string;
    n: number; // words that the model knows
    unknown: number;
    topics: [number, number][]; // the largest shares, largest first
    predictions: Prediction[];
    why?: Why[]; // of each response: the score behind the prediction
    text?: (string | number)[]; // a part of the text, its topic (-1: none), next part, ...: all of it, or its beginning
}

export interface Documents {
    file: string;
    n: number; // more than `docs` if there is no room for all
    docs: Doc[];
}

export interface Data {
    made: { file: string; version: string; title: string; authors: string[]; about: string | null; sections: string[] | null }; // "": none; null: no text, all sections
    selection: Selection | null;
    affinities: (number[] | null)[]; // of each set of topics
    tables: Record<string, Answer>;
    documents: Documents | null;
}

export const data = JSON.parse(document.getElementById("data")!.textContent!) as Data;
