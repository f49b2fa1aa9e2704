//! What the server's process takes: memory, file descriptors and threads, sampled while it lives.
//!
//! A process that was just started is still growing into its work, so only one that lived for long enough is judged: what it
//! took on average in the last fifth of its life may not exceed what it took in the second fifth by more than a bound.

use std::fmt;

/// Seconds that a process must have lived to be judged.
const LIVED: usize = 60;
/// Memory may grow by so many hundredths, and so many KiB on top.
const GROWTH_PERCENT: u64 = 10;
const GROWTH_KIB: u64 = 16 * 1_024;
/// File descriptors come with connections, which come and go.
const MORE_FILES: u64 = 24;
const MORE_THREADS: u64 = 4;

/// One look at the process.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Sample {
    pub(crate) rss_kib: u64,
    /// Of that, what is no page of a file, and so none of the program.
    pub(crate) own_kib: u64,
    pub(crate) files: u64,
    pub(crate) threads: u64,
}

impl Sample {
    /// The process as it is now; `None` once it is gone.
    pub(crate) fn of(process: u32) -> Option<Self> {
        let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
        let number = |name: &str| {
            let line = status.lines().find(|line| line.starts_with(name))?;
            line.split_whitespace().nth(1)?.parse().ok()
        };
        let files = std::fs::read_dir(format!("/proc/{process}/fd")).ok()?.count();
        Some(Self {
            rss_kib: number("VmRSS:")?,
            own_kib: number("RssAnon:")?,
            files: u64::try_from(files).ok()?,
            threads: number("Threads:")?,
        })
    }
}

/// One life of the server, a sample for each second.
#[derive(Debug, Default)]
pub(crate) struct Life {
    pub(crate) samples: Vec<Sample>,
}

impl Life {
    fn average(&self, fifth: usize) -> Sample {
        // Of a life too short to be cut up, the whole.
        let part = self.samples.len() / 5;
        let samples = if part == 0 { &self.samples[..] } else { &self.samples[part * fifth..][..part] };
        let count = u64::try_from(samples.len().max(1)).unwrap();
        let mean = |of: fn(&Sample) -> u64| samples.iter().map(of).sum::<u64>() / count;
        Sample {
            rss_kib: mean(|sample| sample.rss_kib),
            own_kib: mean(|sample| sample.own_kib),
            files: mean(|sample| sample.files),
            threads: mean(|sample| sample.threads),
        }
    }

    /// Whether it lived for long enough to be judged.
    pub(crate) fn counts(&self) -> bool {
        self.samples.len() >= LIVED
    }

    /// What it took too much of.
    pub(crate) fn grown(&self) -> Vec<String> {
        let (early, late) = (self.average(1), self.average(4));
        let bounds = [
            (
                "KiB of memory",
                early.rss_kib,
                late.rss_kib,
                early.rss_kib * (100 + GROWTH_PERCENT) / 100 + GROWTH_KIB,
            ),
            ("file descriptors", early.files, late.files, early.files + MORE_FILES),
            ("threads", early.threads, late.threads, early.threads + MORE_THREADS),
        ];
        let over = bounds.into_iter().filter(|(_, _, late, bound)| late > bound);
        over.map(|(what, early, late, bound)| {
            format!(
                "a process of {} s grew from {early} to {late} {what}; the bound is {bound}",
                self.samples.len()
            )
        })
        .collect()
    }
}

impl fmt::Display for Life {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mib = |kib: u64| kib / 1_024;
        let (early, late) = (self.average(1), self.average(4));
        let peak = self.samples.iter().map(|sample| sample.rss_kib).max().unwrap_or_default();
        write!(
            formatter,
            "{:>4} s  RSS {} -> {} MiB (peak {}), {} -> {} without files  files {} -> {}  threads {} -> {}",
            self.samples.len(),
            mib(early.rss_kib),
            mib(late.rss_kib),
            mib(peak),
            mib(early.own_kib),
            mib(late.own_kib),
            early.files,
            late.files,
            early.threads,
            late.threads
        )
    }
}
