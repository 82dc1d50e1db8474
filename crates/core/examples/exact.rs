use std::time::Instant;
use tsdt_core::{bounds::Prices, branches::BranchSearch, window::Window};
fn read(name: &str) -> (Vec<Vec<u16>>, Vec<u16>) {
    let p = format!("/work/shared/data/{name}");
    let t = std::fs::read_to_string(&p).unwrap();
    if name.starts_with("monks") {
        let rows: Vec<Vec<u16>> = t.lines().filter(|l| !l.trim().is_empty()).map(|l| l.split_whitespace().take(7).map(|x| x.parse().unwrap()).collect()).collect();
        let y = rows.iter().map(|r| r[0]).collect();
        return (rows.iter().map(|r| r[1..].iter().map(|x| x - 1).collect()).collect(), y);
    }
    let rows: Vec<Vec<u16>> = t.lines().skip(1).map(|l| l.split(';').map(|x| x.parse().unwrap()).collect()).collect();
    (rows.iter().map(|r| r[..r.len() - 1].to_vec()).collect(), rows.iter().map(|r| *r.last().unwrap()).collect())
}
fn onehot(x: &[Vec<u16>], first: bool) -> Vec<Vec<u16>> {
    let ar = [3u16, 3, 2, 3, 4, 2];
    x.iter().map(|r| { let mut o = vec![]; for i in 0..6 { let rng = if first { 1..ar[i] } else { 0..ar[i] - 1 }; for j in rng { o.push(u16::from(r[i] == j)); } } o }).collect()
}
fn main() {
    let mode: u8 = std::env::args().nth(1).map_or(0, |x| x.parse().unwrap());
    let limit: f64 = std::env::args().nth(2).map_or(20.0, |x| x.parse().unwrap());
    let only = std::env::args().nth(3).unwrap_or_default();
    let opt = std::fs::read_to_string("/work/shared/reference/optima.csv").unwrap();
    for line in opt.lines().skip(1) {
        let f: Vec<&str> = line.split(',').collect();
        if !line.contains(&only) { continue; }
        let (x, y) = match f[0] {
            "MONK1-original" => read("monks-1.train"),
            "MONK1-dropfirst" => { let (x, y) = read("monks-1.train"); (onehot(&x, true), y) }
            "MONK1-droplast" => { let (x, y) = read("monks-1.train"); (onehot(&x, false), y) }
            "MONK2" => read("monk2-train.csv"),
            "MONK3" => read("monk3-train.csv"),
            other => read(&format!("{other}.csv")),
        };
        let q = x[0].len();
        let ar: Vec<usize> = (0..q).map(|i| x.iter().map(|r| r[i]).max().unwrap() as usize + 1).collect();
        let mut w = Window::new(x.len());
        w.grow(&ar, &vec![false; q], 2);
        for (r, &l) in x.iter().zip(&y) { w.add(r, l); }
        let den = 10000i64;
        let num = (f[1].parse::<f64>().unwrap() * den as f64).round() as i64;
        let n = x.len() as i64;
        let t = Instant::now();
        let mut s = BranchSearch::new(w, Prices { error: den, split: num * n }, mode);
        let want: f64 = f[5].parse().unwrap();
        let (mut found, mut v1) = (-1.0, 0.0);
        let value = |s: &BranchSearch| 1.0 - s.loss(s.branches[0].errors, s.branches[0].splits) as f64 / (den * n) as f64;
        while !s.solved(0) && t.elapsed().as_secs_f64() < limit {
            s.visit();
            if found < 0.0 && value(&s) >= want - 1e-6 { found = t.elapsed().as_secs_f64(); }
            if t.elapsed().as_secs_f64() < 1.0 { v1 = value(&s); }
        }
        println!("{:16} {:7} want {:.6} got {:.6} low-gap {:.6} {} found {:.3}s total {:.3}s v1/opt {:.4} looks {} visits {} branches {} rss {}MB", f[0], f[1], want, value(&s),
            (s.loss(s.branches[0].errors, s.branches[0].splits) - s.branches[0].low) as f64 / (den * n) as f64, s.solved(0), found, t.elapsed().as_secs_f64(), v1 / want, s.looks, s.visits, s.branches.len(),
            std::fs::read_to_string("/proc/self/statm").unwrap().split(' ').nth(1).unwrap().parse::<usize>().unwrap() / 256);
    }
}
