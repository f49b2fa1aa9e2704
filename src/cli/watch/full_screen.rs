//! `haltgate watch` on a whole screen: the desk between the keyboard, the feeds and the screen.
//!
//! Knows nothing of what keys and messages mean.

use super::Left;
use super::desk::{Deed, Desk, Room, Tone};
use super::draw::{Look, Pages, Status, draw};
use super::following::{Following, Links, News, Watched};
use super::sending::Sending;
use super::terminal::{Input, Screen, input};
use crate::cli::failure::Failure;
use crate::client::{Client, FeedMessage, FeedNews};
use crossterm::event::{Event, EventStream};
use std::io;
use std::time::{Duration, Instant};
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio_stream::StreamExt;

/// How often the screen is brought up to date when nothing happens: it counts down to the next attempt to connect.
const TICK: Duration = Duration::from_millis(500);

/// How long a signal to the own group may take to come back here.
const ECHO: Duration = Duration::from_millis(50);

/// Why the loop goes on or ends.
enum Next {
    GoOn,
    Leave,
    /// Stop this process until it is told to go on; with everything that was started together with it, or alone.
    Suspend {
        group: bool,
    },
}

struct Watch {
    desk: Desk,
    screen: Screen,
    following: Following,
    sending: Sending,
    links: Links,
    watched: Watched,
    look: Look,
    pages: Pages,
    started: Instant,
    /// The changes of the desk that the screen shows.
    shown: Option<u64>,
}

/// Signals that end or suspend a process.
struct Signals {
    interrupt: Signal,
    terminate: Signal,
    hang_up: Signal,
    stop: Signal,
    go_on: Signal,
}

impl Signals {
    fn listen() -> Result<Self, Failure> {
        use rustix::process::Signal as Known;
        let on = |kind| signal(kind).map_err(|error| Failure::new(format!("cannot handle signals: {error}")));
        Ok(Self {
            interrupt: on(SignalKind::interrupt())?,
            terminate: on(SignalKind::terminate())?,
            hang_up: on(SignalKind::hangup())?,
            stop: on(SignalKind::from_raw(Known::TSTP.as_raw()))?,
            go_on: on(SignalKind::from_raw(Known::CONT.as_raw()))?,
        })
    }
}

/// Watches until it is told to leave.
///
/// # Errors
/// The terminal is gone, or the server refuses the feeds for good.
pub(super) async fn watch(
    client: Client,
    watched: Watched,
    ring_for_questions: bool,
    look: Look,
) -> Result<Left, Failure> {
    let mut signals = Signals::listen()?;
    let (sending, mut replies) = Sending::new(client.clone(), watched.project.clone());
    let screen = Screen::enter()?;
    let mut events = EventStream::new();
    let mut watch = Watch {
        desk: Desk::new(!watched.observe_only, ring_for_questions),
        screen,
        following: Following::start(&client, &watched),
        sending,
        links: Links::default(),
        watched,
        look,
        pages: Pages::default(),
        started: Instant::now(),
        shown: None,
    };
    loop {
        watch.draw()?;
        let next = tokio::select! {
            biased;
            _signal = signals.interrupt.recv() => Next::Leave,
            _signal = signals.terminate.recv() => Next::Leave,
            _signal = signals.hang_up.recv() => Next::Leave,
            _signal = signals.stop.recv() => Next::Suspend { group: false },
            _signal = signals.go_on.recv() => {
                watch.came_back();
                Next::GoOn
            }
            event = events.next() => watch.events(event, &mut events).await?,
            news = watch.following.next() => match news {
                Some(news) => watch.news(news)?,
                None => return Err(Failure::new("the feeds have ended")),
            },
            Some((answer, outcome)) = replies.recv() => {
                watch.desk.replied(&answer, outcome);
                Next::GoOn
            }
            () = tokio::time::sleep(TICK) => Next::GoOn,
        };
        match next {
            Next::GoOn => {}
            Next::Suspend { group } => {
                watch.screen.suspend(group)?;
                if group {
                    // The signal to the group came here, too; it was obeyed already.
                    let _obeyed = tokio::time::timeout(ECHO, signals.stop.recv()).await;
                }
                watch.came_back();
            }
            Next::Leave => {
                return Ok(Left { questions: watch.desk.escalations.len(), halts: watch.desk.halts.len() });
            }
        }
    }
}

impl Watch {
    fn draw(&mut self) -> Result<(), Failure> {
        let status = self.status();
        let (desk, look, pages) = (&self.desk, self.look, &mut self.pages);
        let mut room = Room::default();
        let anew = self.shown != Some(desk.changes);
        self.screen.draw(anew, |frame| room = draw(frame, desk, &status, look, pages))?;
        self.shown = Some(self.desk.changes);
        self.desk.drawn(self.started.elapsed(), room);
        Ok(())
    }

    fn status(&self) -> Status {
        let mut only = String::new();
        for (name, value) in [("session", &self.watched.session), ("run", &self.watched.run)] {
            if !value.is_empty() {
                only.push_str(&crate::display::one_line(&format!(", {name} {value}")));
            }
        }
        Status {
            project: crate::display::one_line(&self.watched.project),
            only,
            link: self.links.words(),
            stale: !self.links.are_live(),
        }
    }

    /// Takes an event over, and in front of a halted run at once all that came together with it: what is pasted is not to
    /// look typed because the screen was drawn in between.
    async fn events(
        &mut self,
        first: Option<io::Result<Event>>,
        events: &mut EventStream,
    ) -> Result<Next, Failure> {
        let mut event = first;
        loop {
            let next = match event {
                Some(Ok(event)) => self.input(input(event)),
                Some(Err(error)) => return Err(Failure::new(format!("cannot read the terminal: {error}"))),
                None => Next::Leave,
            };
            match next {
                Next::GoOn if self.desk.banner.is_some() => {}
                Next::GoOn | Next::Leave | Next::Suspend { .. } => return Ok(next),
            }
            match tokio::time::timeout(Duration::ZERO, events.next()).await {
                Ok(more) => event = more,
                Err(_none_yet) => return Ok(Next::GoOn),
            }
        }
    }

    fn input(&mut self, input: Option<Input>) -> Next {
        match input {
            None => Next::GoOn,
            Some(Input::Redraw) => {
                self.shown = None;
                Next::GoOn
            }
            Some(Input::Suspend) => Next::Suspend { group: true },
            Some(Input::Pasted(text)) => {
                self.desk.pasted(&text);
                Next::GoOn
            }
            Some(Input::Key(key)) => {
                // What was said is over once somebody types on, unless it is about the connection.
                if self.links.are_live() {
                    self.desk.hush();
                }
                let now = self.started.elapsed();
                let deeds = self.desk.key(key, now);
                self.carry_out(deeds)
            }
        }
    }

    fn news(&mut self, news: News) -> Result<Next, Failure> {
        let were_live = self.links.are_live();
        let lost = self.links.take(&news);
        if lost {
            let why = self.links.why().unwrap_or_default().to_owned();
            self.desk.say(
                Tone::Trouble,
                format!("The connection is lost ({why}). It is made anew by itself; r tries at once."),
            );
        } else if !were_live && self.links.are_live() && self.desk.said.is_some() {
            self.desk.say(Tone::Plain, "Connected again: what waits is shown as it is now.");
        }
        let deeds = match news {
            News::Escalations(FeedNews::Connected { anew }) => {
                self.desk.escalations_connected(anew);
                Vec::new()
            }
            News::Halts(FeedNews::Connected { anew }) => {
                self.desk.halts_connected(anew);
                Vec::new()
            }
            News::Escalations(FeedNews::Message(message)) => {
                message.happening().map(|happening| self.desk.escalation(happening)).unwrap_or_default()
            }
            News::Halts(FeedNews::Message(message)) => {
                message.happening().map(|happening| self.desk.halt(happening)).unwrap_or_default()
            }
            News::Escalations(FeedNews::Interrupted { .. }) | News::Halts(FeedNews::Interrupted { .. }) => {
                Vec::new()
            }
            News::Refused(status) => return Err(status.into()),
        };
        Ok(self.carry_out(deeds))
    }

    fn carry_out(&mut self, deeds: Vec<Deed>) -> Next {
        for deed in deeds {
            match deed {
                Deed::Send(answer) => self.sending.send(answer),
                Deed::Ring => self.screen.ring(),
                Deed::Retry => self.following.retry(),
                Deed::Leave => return Next::Leave,
            }
        }
        Next::GoOn
    }

    fn came_back(&mut self) {
        self.shown = None;
        self.desk.came_back();
    }
}
