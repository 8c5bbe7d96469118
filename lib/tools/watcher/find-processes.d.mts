export declare const MARKER_VARIABLE: string;
export declare function findCommandProcesses(group: number, marker: string | null): number[];
export declare function killCommandProcesses(group: number, marker: string | null): number;
export declare function send(pid: number, signal: NodeJS.Signals | 0): boolean;
export declare function hasEnded(pid: number): boolean;
